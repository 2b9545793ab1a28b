/** Says in plain words why the server cannot listen, and what to do; other errors stay as they are. */
export function listenError(error: unknown, host: string, port: number): unknown {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  switch (code) {
    case 'EADDRINUSE':
      return new Error(
        `Port ${port} on ${host} is in use by another program: stop it, or set PORT to another port (PORT=0 takes any free one).`,
        { cause: error },
      );
    case 'EACCES':
      return new Error(`This user may not listen on port ${port}: set PORT to a port above 1023.`, {
        cause: error,
      });
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
      return new Error(`HOST "${host}" is no address of this machine: set HOST to e.g. 127.0.0.1.`, {
        cause: error,
      });
    default:
      return error;
  }
}
