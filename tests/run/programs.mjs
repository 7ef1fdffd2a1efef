import { spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP']

/** Colors are for people at a terminal. */
const PLAIN = process.stdout.isTTY ? {} : { NO_COLOR: '1', FORCE_COLOR: undefined }

/**
 * Runs a Node.js script with our output and gives its exit code. It gets a process group of its own, and whatever
 * ends first (its time, this process) ends the whole group with it.
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
      endGroup(child.pid) // what a runner may have left behind
      resolve(code ?? 1)
    })
  })
}

function endGroup(pid) {
  try {
    process.kill(-pid, 'SIGKILL')
  } catch {
    // nobody is left
  }
}

/** Gives the work a place for a runner's JSON report, which is gone afterwards. */
export async function withReportFile(work) {
  const folder = mkdtempSync(join(tmpdir(), 'sheaf-report-'))
  const path = join(folder, 'report.json')
  try {
    return await work({ path, read: () => readJson(path) })
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** The report, or undefined when the runner did not come to write it whole. */
function readJson(path) {
  try {
    return JSON.parse(readFileSync(path, 'utf8'))
  } catch {
    return undefined
  }
}
