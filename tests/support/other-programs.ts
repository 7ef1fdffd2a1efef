import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Whether a program is installed. Tests that need a missing one are skipped, and name it in their title. */
export function hasProgram(program: string): boolean {
  return spawnSync(program, ['--version'], { stdio: 'ignore' }).error === undefined
}

/** What a program prints about a file. Throws if it isn't installed. `given` makes its arguments from the path. */
export function askProgram(program: string, file: Uint8Array, given: (path: string) => string[]): string {
  return runProgram(program, file, given).toString('utf8')
}

/** What a program writes about a file, with its complaints. Throws if it isn't installed. */
export function runProgram(program: string, file: Uint8Array, given: (path: string) => string[]): Buffer {
  const folder = mkdtempSync(join(tmpdir(), 'other-program-'))
  try {
    const path = join(folder, 'file.pdf')
    writeFileSync(path, file)
    const { error, stdout, stderr } = spawnSync(program, given(path), { timeout: 60_000, maxBuffer: 64_000_000 })
    if (error) throw error
    return Buffer.concat([stdout, stderr])
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** The problems that qpdf reports in a file. */
export function qpdfComplaints(file: Uint8Array): string[] {
  const text = askProgram('qpdf', file, path => ['--check', path])
  const isComplaint = (line: string): boolean =>
    /warning|error/i.test(line) && !/^No syntax|errors that qpdf cannot detect/.test(line)
  return text.split('\n').filter(isComplaint)
}
