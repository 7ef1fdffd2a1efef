const [SOS, EOI] = [0xda, 0xd9]
const RESTARTS = { from: 0xd0, to: 0xd7 }

/** Segments between scans that decoders need: tables, restart intervals, line counts (ITU-T T.81, B.2). */
const NEEDED = new Set([0xc4, 0xcc, 0xdb, 0xdc, 0xdd, SOS])

/**
 * Returns a JPEG file from its first scan at `start` to its end, without comments and application data between scans
 * and without bytes after the end of the image. If the scans can't be parsed, returns the rest of the file unchanged.
 */
export function readScans(file: Buffer, start: number): Buffer {
  const parts: Buffer[] = []
  let at = start
  while (at + 4 <= file.length) {
    const marker = file[at + 1] ?? 0
    const isRemovable = marker === 0xfe || (marker >= 0xe0 && marker <= 0xef)
    if (file[at] !== 0xff || !(NEEDED.has(marker) || isRemovable)) return file.subarray(start)
    let end = at + 2 + file.readUInt16BE(at + 2)
    if (marker === SOS) end = findMarker(file, end)
    if (end > file.length) return file.subarray(start)
    if (!isRemovable) parts.push(file.subarray(at, end))
    at = end
    if (file[at] === 0xff && file[at + 1] === EOI) return Buffer.concat([...parts, file.subarray(at, at + 2)])
  }
  return file.subarray(start)
}

/**
 * Offset of the next marker in coded data, except for stuffed bytes and restart markers. The end of the file if none.
 */
function findMarker(file: Buffer, from: number): number {
  for (let at = file.indexOf(0xff, from); at >= 0; at = file.indexOf(0xff, at + 1)) {
    const next = file[at + 1]
    if (next === undefined) break
    if (next !== 0 && next !== 0xff && !(next >= RESTARTS.from && next <= RESTARTS.to)) return at
  }
  return file.length
}
