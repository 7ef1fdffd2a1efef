import { spawn } from 'node:child_process'
import { ROOT } from './project.mjs'

const MAX_OUTPUT_CHARACTERS = 200_000

/** Runs a program in the project's folder. Returns its exit code and all output. */
export function runCommand(program, args, environment) {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, {
      cwd: ROOT,
      env: { ...environment, NO_COLOR: '1', FORCE_COLOR: undefined },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    let output = ''
    const append = part => (output = (output + part).slice(-MAX_OUTPUT_CHARACTERS))
    child.stdout.setEncoding('utf8').on('data', append)
    child.stderr.setEncoding('utf8').on('data', append)
    child.once('error', reject)
    child.once('close', (code, signal) => resolve({ code: code ?? 1, signal, output }))
    const killChild = () => child.kill()
    process.once('exit', killChild)
    child.once('close', () => process.off('exit', killChild))
  })
}

/** Returns the last lines of a program's output, for an error message. */
export function tail(output, lines) {
  return output.trimEnd().split('\n').slice(-lines).join('\n')
}
