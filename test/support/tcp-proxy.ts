import { createServer, connect, type AddressInfo, type Server, type Socket } from 'node:net';
import { once } from 'node:events';

/** Stands between a client and a server of this machine, and fails as networks and servers do. */
export class TcpProxy {
  readonly #target: { readonly host: string; readonly port: number };
  readonly #sockets = new Set<Socket>();
  #server: Server | undefined;
  #port = 0;
  #silent = false;

  constructor(host: string, port: number) {
    this.#target = { host, port };
  }

  /** One that is started before the server of an address, and the address by way of it. */
  static async before(address: string): Promise<{ readonly proxy: TcpProxy; readonly url: string }> {
    const url = new URL(address);
    const proxy = new TcpProxy(url.hostname, Number(url.port));
    await proxy.start();
    url.port = String(proxy.port);
    return { proxy, url: url.href };
  }

  get port(): number {
    return this.#port;
  }

  async start(): Promise<void> {
    this.#server = createServer((client) => this.#join(client));
    this.#server.listen(this.#port, '127.0.0.1');
    await once(this.#server, 'listening');
    this.#port = (this.#server.address() as AddressInfo).port;
  }

  /** Cuts all connections and refuses new ones. */
  async stop(): Promise<void> {
    const closed = this.#server && once(this.#server, 'close');
    this.#server?.close();
    for (const socket of this.#sockets) socket.destroy();
    await closed;
  }

  /** Keeps connections open and lets nothing through any more, or again. */
  silence(silent: boolean): void {
    this.#silent = silent;
    for (const socket of this.#sockets) this.#hush(socket);
  }

  #join(client: Socket): void {
    const server = connect(this.#target);
    for (const [from, to] of [
      [client, server],
      [server, client],
    ] as const) {
      this.#sockets.add(from);
      from.on('data', (data) => to.write(data));
      from.on('error', () => to.destroy());
      from.on('close', () => {
        this.#sockets.delete(from);
        to.destroy();
      });
      this.#hush(from);
    }
  }

  #hush(socket: Socket): void {
    if (this.#silent) socket.pause();
    else socket.resume();
  }
}
