import { spawnSync } from 'node:child_process'

/**
 * CPU time in milliseconds, user and system, that qpdf takes for a job; the start of its process is included.
 * The shell's `time` asks the system for the times of its ended child.
 */
export function measureQpdf(args: string[]): number {
  const { status, stderr } = spawnSync('bash', ['-c', 'TIMEFORMAT="%3U %3S"; time qpdf "$@"', 'bash', ...args], { encoding: 'utf8' })
  const times = /(\d+\.\d+) (\d+\.\d+)\s*$/.exec(stderr)
  if ((status !== 0 && status !== QPDF_WARNED) || times === null) throw new Error(`qpdf ${args.slice(0, 4).join(' ')}: ${stderr.slice(-500)}`)
  return (Number(times[1]) + Number(times[2])) * 1000
}

/** The version of the installed qpdf; undefined when it (or bash, which measures it) is missing. */
export function findQpdf(): string | undefined {
  const { status, stdout } = spawnSync('bash', ['-c', 'qpdf --version'], { encoding: 'utf8' })
  return status === 0 ? /\d+\.\d+\.\d+/.exec(stdout)?.[0] : undefined
}

const QPDF_WARNED = 3
