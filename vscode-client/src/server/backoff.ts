/** How long to wait before a crashed server is started again, and when to give up. No VS Code in here. */

const FIRST_MS = 500;
const LONGEST_MS = 30_000;
const MOST = 5;
const WINDOW_MS = 180_000;

export class Backoff {
  private crashes: number[] = [];

  /** The pause after a crash at `now`, twice the one before; undefined after too many crashes in a short time. */
  crashed(now: number): number | undefined {
    this.crashes = [...this.crashes.filter((at) => now - at < WINDOW_MS), now];
    if (this.crashes.length > MOST) {
      return undefined;
    }
    return Math.min(LONGEST_MS, FIRST_MS * 2 ** (this.crashes.length - 1));
  }

  /** Somebody asked for a start: the past does not count. */
  forget(): void {
    this.crashes = [];
  }
}
