import { isUtf8 } from 'node:buffer'
import { crc32 } from 'node:zlib'
import { MAX_PATH_BYTES } from '../request/page-source'
import { archiveProblem, damagedArchive } from './archive-problem'
import { findExtra } from './zip-fields'

const UTF8_FLAG = 0x0800
const UNICODE_PATH = 0x7075

/** The second half of code page 437, the encoding of names without a flag (APPNOTE, D.1). */
const CODE_PAGE =
  'ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜ¢£¥₧ƒáíóúñÑªº¿⌐¬½¼¡«»░▒▓│┤╡╢╖╕╣║╗╝╜╛┐└┴┬├─┼╞╟╚╔╩╦╠═╬╧╨╤╥╙╘╒╓╫╪┘┌█▄▌▐▀αßΓπΣσµτΦΘΩδ∞φε∩≡±≥≤⌠⌡÷≈°∙·√ⁿ²■\u00a0'

/**
 * Returns the path of an entry, with `/` between its parts. Throws EngineError `too_large` for a long name, and
 * `damaged` for a path outside the archive.
 */
export function readEntryPath(rawName: Buffer, flags: number, extra: Buffer): string {
  const unicode = findExtra(extra, UNICODE_PATH)
  const nameBytes = Math.max(rawName.length, unicode?.length ?? 0)
  if (nameBytes > MAX_PATH_BYTES)
    throw archiveProblem(
      'too_large',
      `must have paths of at most ${MAX_PATH_BYTES} bytes. Got ${nameBytes} bytes. Use shorter names.`,
    )
  const path = decodeName(rawName, flags, unicode).replaceAll('\\', '/')
  if (path === '' || path.includes('\0')) throw damagedArchive('an entry without a usable name')
  if (/^(\/|[a-z]:)/i.test(path) || path.split('/').includes('..'))
    throw archiveProblem('damaged', 'contains a path outside the archive. Use relative paths.')
  return path
}

/** Decodes a name. Many writers leave out the flag of UTF-8. */
function decodeName(rawName: Buffer, flags: number, unicode: Buffer | undefined): string {
  // The field only counts if it belongs to this name (APPNOTE, 4.6.9).
  if (unicode && unicode.length > 5 && unicode[0] === 1 && unicode.readUInt32LE(1) === crc32(rawName))
    return unicode.toString('utf8', 5)
  if ((flags & UTF8_FLAG) !== 0 || isUtf8(rawName)) return rawName.toString('utf8')
  return Array.from(rawName, byte => (byte < 128 ? String.fromCharCode(byte) : CODE_PAGE[byte - 128])).join('')
}
