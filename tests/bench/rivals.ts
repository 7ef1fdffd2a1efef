import { spawnSync } from 'node:child_process'

/** The programs that the engine is compared with, by name, and their version arguments. */
const RIVALS = {
  qpdf: ['--version'],
  mutool: ['-v'],
  pdftk: ['--version'],
  gs: ['--version'],
  pdftoppm: ['-v'],
  pdftotext: ['-v'],
  img2pdf: ['--version'],
  comparepdf: ['--version'],
}

export type Rival = keyof typeof RIVALS

export const RIVAL_NAMES = Object.keys(RIVALS) as Rival[] // These are the keys of a constant.

/** CPU time in milliseconds, user and system, of a program for a job. Its process start is included. */
export function measureRival(rival: Rival, args: string[]): number {
  return measureProgram(rival, args, { passes: PASSES[rival] ?? [0] })
}

/**
 * CPU time in milliseconds, user and system, of a program and its descendants. The shell's `time` gets the times of its
 * ended child from the system.
 */
export function measureProgram(
  program: string,
  args: string[],
  { passes = [0], env = {} }: { passes?: number[]; env?: Record<string, string> } = {},
): number {
  const { status, stderr } = spawnSync(
    'bash',
    ['-c', 'TIMEFORMAT="%3U %3S"; time "$@" > /dev/null', 'bash', program, ...args],
    { encoding: 'utf8', maxBuffer: MAX_COMPLAINT, env: { ...process.env, ...env } },
  )
  const times = /(\d+\.\d+) (\d+\.\d+)\s*$/.exec(stderr)
  if (!passes.includes(status ?? -1) || times === null)
    throw new Error(`${program} ${args.slice(0, 4).join(' ')}: ${stderr.slice(-500)}`)
  return (Number(times[1]) + Number(times[2])) * 1000
}

/** The version of an installed program. Undefined if the program, or bash as the timer, is missing. */
export function findRival(rival: Rival): string | undefined {
  const { stdout, stderr } = spawnSync('bash', ['-c', '"$@"', 'bash', rival, ...RIVALS[rival]], { encoding: 'utf8' })
  return /\d+\.\d+(\.\d+)?/.exec(`${stdout ?? ''}${stderr ?? ''}`.replace(/^bash:.*$/gm, ''))?.[0]
}

/** Exit codes of success: qpdf with warnings, and comparepdf with differences. */
const PASSES: Partial<Record<Rival, number[]>> = { qpdf: [0, 3], comparepdf: [0, 10, 11, 12, 13, 14, 15] }
const MAX_COMPLAINT = 64 * 2 ** 20
