import { type CanActivate, type ExecutionContext, ForbiddenException } from '@nestjs/common';
import type { Request } from 'express';
import { isLoopbackHost } from './loopback-host.js';

/**
 * Guards a server without a token against web pages: a page whose domain name is pointed at 127.0.0.1 could otherwise
 * talk to it from the user's browser, but cannot forge the Host header.
 */
export class LoopbackOnlyGuard implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    if (context.getType() !== 'http') return true; // a tool call of a run that was let in already
    const host = context.switchToHttp().getRequest<Request>().headers.host ?? '';
    if (isLoopbackHost(hostName(host))) return true;
    throw new ForbiddenException(
      `Without NESTOR_API_TOKEN this server answers requests for this machine only, not for the host "${host}". ` +
        'Set NESTOR_API_TOKEN to serve others.',
    );
  }
}

/** The name without port and without the brackets of an IPv6 address. */
function hostName(host: string): string {
  return host.replace(/:\d+$/, '').replace(/^\[(.*)\]$/, '$1');
}
