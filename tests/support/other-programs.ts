import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** What a program prints about a file. Undefined if it isn't installed. `given` makes its arguments from the path. */
export function askProgram(program: string, file: Uint8Array, given: (path: string) => string[]): string | undefined {
  const folder = mkdtempSync(join(tmpdir(), 'other-program-'))
  try {
    const path = join(folder, 'file.pdf')
    writeFileSync(path, file)
    const { error, stdout, stderr } = spawnSync(program, given(path), { encoding: 'utf8', timeout: 20_000 })
    return error ? undefined : stdout + stderr
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** The problems that qpdf reports in a file. Empty if qpdf isn't installed. */
export function qpdfComplaints(file: Uint8Array): string[] {
  const text = askProgram('qpdf', file, path => ['--check', path]) ?? ''
  const isComplaint = (line: string): boolean =>
    /warning|error/i.test(line) && !/^No syntax|errors that qpdf cannot detect/.test(line)
  return text.split('\n').filter(isComplaint)
}
