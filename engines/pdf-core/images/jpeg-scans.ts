const [SOS, EOI] = [0xda, 0xd9]
const RESTARTS = { from: 0xd0, to: 0xd7 }

/**
 * Segments that may stand between scans and that a decoder needs: tables, restart intervals, line counts (ITU-T T.81,
 * B.2).
 */
const NEEDED = new Set([0xc4, 0xcc, 0xdb, 0xdc, 0xdd, SOS])

/**
 * What a JPEG file holds from its first scan to its end: no comments, no application data between scans, and nothing
 * behind the end of the image. The rest as it is where that can't be read; `start` is where the first scan begins.
 */
export function readScans(file: Buffer, start: number): Buffer {
  const parts: Buffer[] = []
  let at = start
  while (at + 4 <= file.length) {
    const marker = file[at + 1] ?? 0
    const isSilent = marker === 0xfe || (marker >= 0xe0 && marker <= 0xef)
    if (file[at] !== 0xff || !(NEEDED.has(marker) || isSilent)) return file.subarray(start)
    let end = at + 2 + file.readUInt16BE(at + 2)
    if (marker === SOS) end = findMarker(file, end)
    if (end > file.length) return file.subarray(start)
    if (!isSilent) parts.push(file.subarray(at, end))
    at = end
    if (file[at] === 0xff && file[at + 1] === EOI) return Buffer.concat([...parts, file.subarray(at, at + 2)])
  }
  return file.subarray(start)
}

/** The next marker in coded data that is neither a stuffed byte nor a restart; the end where there is none. */
function findMarker(file: Buffer, from: number): number {
  for (let at = file.indexOf(0xff, from); at >= 0; at = file.indexOf(0xff, at + 1)) {
    const next = file[at + 1]
    if (next === undefined) break
    if (next !== 0 && next !== 0xff && !(next >= RESTARTS.from && next <= RESTARTS.to)) return at
  }
  return file.length
}
