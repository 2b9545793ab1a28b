import { createHash, timingSafeEqual } from 'node:crypto';
import { type CanActivate, type ExecutionContext, UnauthorizedException } from '@nestjs/common';
import type { Request, Response } from 'express';

const BEARER = /^Bearer +(\S+)$/i;

/** Lets in only requests that carry the bearer token; `/health` is open to everybody. */
export class ApiTokenGuard implements CanActivate {
  readonly #digest: Buffer;

  constructor(token: string) {
    this.#digest = sha256(token);
  }

  canActivate(context: ExecutionContext): boolean {
    // Global guards run around tool calls too; those belong to a run that was let in already.
    if (context.getType() !== 'http') return true;
    const request = context.switchToHttp().getRequest<Request>();
    if (request.path === '/health' || this.#accepts(request.headers.authorization)) return true;

    context.switchToHttp().getResponse<Response>().setHeader('www-authenticate', 'Bearer realm="nestor"');
    throw new UnauthorizedException(
      'This server asks for a token. Send the header "Authorization: Bearer <NESTOR_API_TOKEN>".',
    );
  }

  #accepts(authorization: string | undefined): boolean {
    const token = BEARER.exec(authorization ?? '')?.[1];
    // Digests have one length, so that the time of the comparison tells nothing about the token.
    return token !== undefined && timingSafeEqual(sha256(token), this.#digest);
  }
}

function sha256(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
