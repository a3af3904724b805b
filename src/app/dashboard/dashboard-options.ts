// Apart from the server, which help and completions must not load.

export const defaultPort = 4747;

export interface DashboardOptions {
  /** Undefined: the usual one, or a free one near it. */
  readonly port: number | undefined;
  readonly isReadOnly: boolean;
  /** Undefined: only loopback. */
  readonly listen: string | undefined;
}
