import { EngineError } from '../../errors'

/** Maximum length of a password in UTF-8 (ISO 32000-2, 7.6.4.3.2). */
const MAX_PASSWORD_BYTES = 127

/** The bytes that fill up a password to 32 bytes (ISO 32000-2, 7.6.4.3.2, step a). */
const FILLING = Buffer.from('28bf4e5e4e758a4164004e56fffa01082e2e00b6d0683e802f0ca9fe6453697a', 'hex')

/** The 32 bytes that a password has for revisions 2 to 4. */
export function fillUp(password: Uint8Array): Uint8Array {
  return Buffer.concat([password, FILLING]).subarray(0, 32)
}

/** Characters of PDFDocEncoding that differ from Latin-1, by their code (ISO 32000-2, annex D.3). */
const DOC_ENCODING: Readonly<Record<string, number>> = {
  '˘': 0x18,
  ˇ: 0x19,
  ˆ: 0x1a,
  '˙': 0x1b,
  '˝': 0x1c,
  '˛': 0x1d,
  '˚': 0x1e,
  '˜': 0x1f,
  '•': 0x80,
  '†': 0x81,
  '‡': 0x82,
  '…': 0x83,
  '—': 0x84,
  '–': 0x85,
  ƒ: 0x86,
  '⁄': 0x87,
  '‹': 0x88,
  '›': 0x89,
  '−': 0x8a,
  '‰': 0x8b,
  '„': 0x8c,
  '“': 0x8d,
  '”': 0x8e,
  '‘': 0x8f,
  '’': 0x90,
  '‚': 0x91,
  '™': 0x92,
  ﬁ: 0x93,
  ﬂ: 0x94,
  Ł: 0x95,
  Œ: 0x96,
  Š: 0x97,
  Ÿ: 0x98,
  Ž: 0x99,
  ı: 0x9a,
  ł: 0x9b,
  œ: 0x9c,
  š: 0x9d,
  ž: 0x9e,
  '€': 0xa0,
}

/**
 * The bytes that a typed password may have in revisions 2 to 4: in PDFDocEncoding, as the standard says, and in UTF-8,
 * as some programs write it.
 */
export function listOldPasswordBytes(password: string): Uint8Array[] {
  const utf8 = Buffer.from(password, 'utf8')
  const codes = [...password].map(character => DOC_ENCODING[character] ?? (character.codePointAt(0) as number))
  return codes.some(code => code > 255) || codes.length === utf8.length ? [utf8] : [Uint8Array.from(codes), utf8]
}

/** Spaces that SASLprep maps to U+0020 (RFC 3454, table C.1.2). */
const SPACES = /[\u00A0\u1680\u2000-\u200B\u202F\u205F\u3000]/g
/** Characters that SASLprep removes (RFC 3454, table B.1). */
const IGNORED = /\u00AD|\u034F|\u1806|[\u180B-\u180D]|[\u200B-\u200D]|\u2060|[\uFE00-\uFE0F]|\uFEFF/gu
/** Control characters, private use, non-characters and lone surrogates (RFC 3454, tables C.2 to C.9). */
const FORBIDDEN =
  /[\p{Cc}\p{Co}\p{Cs}\u06DD\u070F\u180E\u200E\u200F\u2028-\u202E\u2061-\u2063\u206A-\u206F\uFFF9-\uFFFD]/u

/** Normalizes a password like readers do: SASLprep (RFC 4013) without its rules for writing direction. */
function prepare(password: string): string {
  return password.replace(SPACES, ' ').replace(IGNORED, '').normalize('NFKC')
}

/**
 * The bytes that a typed password may have in revisions 5 and 6: normalized, as the standard says, and as typed, as
 * some programs write it.
 */
export function listPasswordBytes(password: string): Uint8Array[] {
  const prepared = prepare(password)
  const forms = prepared === password ? [prepared] : [prepared, password]
  return forms.map(form => Buffer.from(form, 'utf8').subarray(0, MAX_PASSWORD_BYTES))
}

/**
 * The bytes of a new password of revision 6. Throws EngineError `options_invalid` with this parameter if readers can't take
 * the password.
 */
export function writePasswordBytes(password: string, param: string): Uint8Array {
  const prepared = prepare(password)
  const bytes = Buffer.from(prepared, 'utf8')
  const refuse = (rule: string) => new EngineError('options_invalid', `${param}: must ${rule}`, { param })
  if (FORBIDDEN.test(prepared)) throw refuse('have no control characters or unassigned characters.')
  if (bytes.length === 0) throw refuse('have at least one visible character.')
  if (bytes.length > MAX_PASSWORD_BYTES)
    throw refuse(`have at most ${MAX_PASSWORD_BYTES} bytes in UTF-8. Got ${bytes.length} bytes.`)
  return bytes
}
