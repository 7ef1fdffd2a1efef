import { execFile, spawnSync } from 'node:child_process'
import { rmSync } from 'node:fs'
import { resolve } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)

/** The command `sheaf`, built from the project. */
export interface BuiltCli {
  /** The path of its script. */
  script: string
  /** Runs the command. Never rejects. */
  run(
    args: string[],
    settings?: { env?: Record<string, string>; cwd?: string; input?: string | Buffer },
  ): Promise<{ code: number; stdout: Buffer; stderr: string }>
  remove(): void
}

/** Builds the command into a folder of this process. */
export function buildCli(): BuiltCli {
  const folder = resolve(`node_modules/.cache/sheaf-cli-${process.pid}`)
  const { status, stderr } = spawnSync(process.execPath, ['clients/build.mjs', 'cli', folder], { encoding: 'utf8' })
  if (status !== 0) throw new Error(`the command was not built: ${stderr}`)
  const script = resolve(folder, 'sheaf.mjs')
  return {
    script,
    run: (args, { env, cwd, input } = {}) => {
      const options = { env: { ...process.env, ...env }, encoding: 'buffer' as const, maxBuffer: 2 ** 28 }
      const done = run(process.execPath, [script, ...args], { ...options, ...(cwd !== undefined && { cwd }) })
      done.child.stdin?.end(input)
      return done.then(
        ({ stdout, stderr: text }) => ({ code: 0, stdout, stderr: text.toString() }),
        (error: unknown) => {
          const { code = -1, stdout, stderr: text } = error as { code?: number; stdout: Buffer; stderr: Buffer }
          return { code, stdout, stderr: text.toString() }
        },
      )
    },
    remove: () => rmSync(folder, { recursive: true, force: true }),
  }
}
