import { spawn } from 'node:child_process'
import { ROOT } from './project.mjs'

const KEPT_CHARACTERS = 200_000

/** Runs a program in the project's folder. Returns its exit code and all output. */
export function runCommand(program, args, environment) {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, {
      cwd: ROOT,
      env: { ...environment, NO_COLOR: '1', FORCE_COLOR: undefined },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    let output = ''
    const keep = part => (output = (output + part).slice(-KEPT_CHARACTERS))
    child.stdout.setEncoding('utf8').on('data', keep)
    child.stderr.setEncoding('utf8').on('data', keep)
    child.once('error', reject)
    child.once('close', (code, signal) => resolve({ code: code ?? 1, signal, output }))
    const end = () => child.kill()
    process.once('exit', end)
    child.once('close', () => process.off('exit', end))
  })
}

/** Returns the last lines of a program's output, for an error message. */
export function tail(output, lines) {
  return output.trimEnd().split('\n').slice(-lines).join('\n')
}
