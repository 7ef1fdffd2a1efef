import { spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP']

/** Only people at a terminal need colors. */
const PLAIN = process.stdout.isTTY ? {} : { NO_COLOR: '1', FORCE_COLOR: undefined }

/**
 * Runs a Node.js script with our output and returns its exit code. The script gets a separate process group. When the
 * script, its time or this process ends, the whole group ends.
 */
export function runProgram(args, { limitMs, environment = {} }) {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, args, {
      env: { ...process.env, ...PLAIN, ...environment },
      stdio: ['ignore', 'inherit', 'inherit'],
      detached: true,
    })
    const timer = setTimeout(() => {
      process.stdout.write(`${args[0]} took longer than ${limitMs / 1000} s and was ended\n`)
      endGroup(child.pid)
    }, limitMs)
    const leave = () => process.exit(1)
    const end = () => endGroup(child.pid)
    process.once('exit', end)
    for (const signal of SIGNALS) process.on(signal, leave)
    child.once('error', reject)
    child.once('exit', code => {
      clearTimeout(timer)
      process.off('exit', end)
      for (const signal of SIGNALS) process.off(signal, leave)
      endGroup(child.pid) // A runner may have left processes behind.
      resolve(code ?? 1)
    })
  })
}

function endGroup(pid) {
  try {
    process.kill(-pid, 'SIGKILL')
  } catch {
    // The group has no processes left.
  }
}

/** Passes a path for a runner's JSON report to the work, and deletes the report afterwards. */
export async function withReportFile(work) {
  const folder = mkdtempSync(join(tmpdir(), 'sheaf-report-'))
  const path = join(folder, 'report.json')
  try {
    return await work({ path, read: () => readJson(path) })
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** The report, or undefined if the runner did not write it completely. */
function readJson(path) {
  try {
    return JSON.parse(readFileSync(path, 'utf8'))
  } catch {
    return undefined
  }
}
