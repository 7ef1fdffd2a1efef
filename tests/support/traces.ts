import { inflateRawSync, inflateSync, constants } from 'node:zlib'

/**
 * Returns the words that are anywhere in the file, in its bytes or its inflated streams: as text, as UTF-16BE or as
 * hexadecimal digits of either.
 */
export function findTraces(file: Uint8Array, words: string[]): string[] {
  const places = [Buffer.from(file), ...inflateAll(Buffer.from(file))]
  return words.filter(word => {
    const [narrow, wide] = [Buffer.from(word, 'latin1'), Buffer.from(word, 'utf16le').swap16()]
    const digits = [narrow, wide].map(bytes => bytes.toString('hex'))
    return places.some(place => {
      if (place.includes(narrow) || place.includes(wide)) return true
      return digits.some(hex => place.includes(hex) || place.includes(hex.toUpperCase()))
    })
  })
}

/** Everything after a `stream` keyword that inflates, without trusting any /Length. */
function inflateAll(file: Buffer): Buffer[] {
  const found: Buffer[] = []
  for (let at = file.indexOf('stream'); at >= 0; at = file.indexOf('stream', at + 6)) {
    let start = at + 6
    if (file[start] === 13) start++
    if (file[start] === 10) start++
    const options = { finishFlush: constants.Z_SYNC_FLUSH }
    for (const inflate of [
      () => inflateSync(file.subarray(start), options),
      () => inflateRawSync(file.subarray(start), options),
    ]) {
      try {
        found.push(inflate())
        break
      } catch {
        // The data isn't deflated, so its raw bytes are searched.
      }
    }
  }
  return found
}
