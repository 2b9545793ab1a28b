import { BlockList, isIP } from 'node:net';

const PRIVATE = new BlockList();
PRIVATE.addSubnet('127.0.0.0', 8);
PRIVATE.addSubnet('10.0.0.0', 8);
PRIVATE.addSubnet('172.16.0.0', 12);
PRIVATE.addSubnet('192.168.0.0', 16);
PRIVATE.addSubnet('169.254.0.0', 16);
PRIVATE.addAddress('0.0.0.0');
PRIVATE.addAddress('::1', 'ipv6');
PRIVATE.addAddress('::', 'ipv6');
PRIVATE.addSubnet('fc00::', 7, 'ipv6');
PRIVATE.addSubnet('fe80::', 10, 'ipv6');

const LOCAL_SUFFIX = /\.(localhost|local|internal|lan)$/;

/** The base URL of an OpenAI-compatible server, taken apart once. */
export interface BaseUrl {
  /** Scheme, host and port. */
  readonly origin: string;
  /** Path of chat completions, with the query of the base URL if it has one. */
  readonly chatPath: string;
  /** For people and messages: without a query, which may hold a secret. */
  readonly display: string;
  readonly hostname: string;
  /** Loopback, private addresses and names of the local network; such servers rarely want a key. */
  readonly local: boolean;
}

/**
 * Reads a base URL. Without a path it gets `/v1`.
 * @throws TypeError if it is no http(s) URL or carries credentials.
 */
export function parseBaseUrl(text: string): BaseUrl {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url || (url.protocol !== 'http:' && url.protocol !== 'https:')) {
    throw new TypeError(
      `The base URL "${text}" is no http(s) URL. Give one such as "http://127.0.0.1:11434/v1" (OPENAI_BASE_URL).`,
    );
  }
  if (url.username || url.password) {
    throw new TypeError(
      `The base URL of ${url.host} holds credentials. Give them as apiKey or headers instead.`,
    );
  }
  const path = url.pathname.replace(/\/+$/, '') || '/v1';
  return {
    origin: url.origin,
    chatPath: `${path}/chat/completions${url.search}`,
    display: url.origin + path,
    hostname: url.hostname,
    local: isLocal(url.hostname.replace(/^\[|\]$/g, '')),
  };
}

function isLocal(host: string): boolean {
  const version = isIP(host);
  if (version !== 0) return PRIVATE.check(host, version === 6 ? 'ipv6' : 'ipv4');
  return !host.includes('.') || LOCAL_SUFFIX.test(host);
}
