/** Reads the counts in the report of a runner that ended with this exit code. */
type Reader = (report: object | undefined, code: number) => Record<string, unknown>

export const readVitest: Reader
export const readPlaywright: Reader
export const readChaos: Reader
