/** The longest wait for one thing, in milliseconds. HEADWATER_PATIENCE=3 makes it three times as long on a busy machine. */
export const PATIENCE = 30_000 * Number(process.env.HEADWATER_PATIENCE ?? 1);

/** Asks until `question` answers something other than undefined or false. */
export async function eventually<T>(what: string, question: () => T | Promise<T>): Promise<NonNullable<T>> {
  const end = Date.now() + PATIENCE;
  for (;;) {
    const answer = await question();
    if (answer !== undefined && answer !== null && answer !== false) return answer as NonNullable<T>;
    if (Date.now() > end) throw new Error(`never happened: ${what}`);
    await new Promise((again) => setTimeout(again, 50));
  }
}
