import { isIPv4 } from 'node:net';

/** True for names and addresses that only this machine can reach: `localhost`, 127.0.0.0/8 and `::1`. */
export function isLoopbackHost(host: string): boolean {
  const name = host.toLowerCase();
  return name === 'localhost' || name === '::1' || (isIPv4(name) && name.startsWith('127.'));
}
