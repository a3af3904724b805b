// Times of the fleet. Another worker may take a run when its lease has ended by the clock of the database.

export const fleetLeaseSeconds = 15;
/** A lost renewal costs nothing: there is time for two more. */
export const fleetRenewMs = 4_000;
/**
 * A worker that could not renew for this long ends its claude, counted from the moment before the last renewal was sent. Claude and
 * its supervisor are gone before the lease ends.
 */
export const fleetGiveUpMs = 10_000;
/** From the request to the kill, when a run is given up. */
export const fleetKillMs = 2_000;
/** How soon a free slot looks for work. */
export const fleetPollMs = 2_000;
/** A worker that was not seen for this long is lost. */
export const workerLostSeconds = 30;
