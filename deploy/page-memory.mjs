// Watches the memory of a browser with all of its processes, from /proc (proc(5)). On the Sheaf server,
// engines/webpage/browser/page-watchdog.ts does the same. A connection prints one page at a time, so this is the memory
// of that page.
import { readdirSync, readFileSync } from 'node:fs'

const LOOK_MS = 50
const KIB = 1024
/** Minimum pause after a check, as a multiple of its duration. Checks then take at most a tenth of the time. */
const PAUSE_PER_COST = 10
/** See engines/webpage/browser/process-memory.ts. */
const PROGRAM_BYTES = 256 * 2 ** 20
const INHERITED_BYTES = 32 * 2 ** 20

/**
 * Calls `onExcess` with the bytes that a process and its descendants hold together, if these exceed `mostBytes`. The
 * watch then ends. Returns a function that ends the watch earlier.
 * @param {number} pid
 * @param {number} mostBytes
 * @param {(bytes: number) => void} onExcess
 */
export function watchPageMemory(pid, mostBytes, onExcess) {
  let timer = setTimeout(look, LOOK_MS)
  function look() {
    const since = performance.now()
    const bytes = measure(pid)
    if (bytes > mostBytes) return onExcess(bytes)
    timer = setTimeout(look, Math.max(LOOK_MS, PAUSE_PER_COST * (performance.now() - since)))
  }
  return () => clearTimeout(timer)
}

function measure(root) {
  const parents = readParents()
  const family = new Set([root])
  for (let size = 0; size !== family.size;) {
    size = family.size
    for (const [pid, parent] of parents) if (family.has(parent)) family.add(pid)
  }
  return sum([...family], pid => {
    const parent = parents.get(pid)
    const inherited = Math.min(INHERITED_BYTES, family.has(parent) ? readBytes(parent, 'RssAnon') : 0)
    const mapped = readBytes(pid, 'RssShmem') + Math.max(0, readBytes(pid, 'RssFile') - PROGRAM_BYTES)
    return Math.max(0, readBytes(pid, 'RssAnon') - inherited) + mapped
  })
}

function readParents() {
  const pids = readdirSync('/proc')
    .filter(name => /^\d+$/.test(name))
    .map(Number)
  return new Map(pids.map(pid => [pid, readParent(pid)]))
}

function readParent(pid) {
  const stat = readProc(pid, 'stat')
  return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1])
}

function readBytes(pid, name) {
  return Number(new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(readProc(pid, 'status'))?.[1] ?? 0) * KIB
}

/** Returns an empty string if the process has ended or can't be read. */
function readProc(pid, name) {
  try {
    return readFileSync(`/proc/${pid}/${name}`, 'latin1')
  } catch {
    return ''
  }
}

function sum(all, count) {
  return all.reduce((total, one) => total + count(one), 0)
}
