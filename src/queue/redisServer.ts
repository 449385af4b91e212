/** Redis server, and how to sign in to it. */
export interface RedisServer {
  readonly host: string;
  readonly port: number;
  readonly db: number;
  readonly username?: string;
  readonly password?: string;
  /** Absent: a plain connection. `ca`: the certificates to trust instead of the system's, as PEM. */
  readonly tls?: { readonly ca?: string };
}
