/** A name that both forms contain unchanged. */
const PLAIN_NAME = /^[A-Za-z0-9][A-Za-z0-9_-]*\.[A-Za-z0-9]+$/

/**
 * Returns the Content-Disposition of a download (RFC 6266): a plain ASCII name for old clients, and the whole name in
 * UTF-8 (RFC 8187). Path separators and control characters become `-` in both.
 */
export function writeContentDisposition(name: string): string {
  if (PLAIN_NAME.test(name)) return `attachment; filename="${name}"; filename*=UTF-8''${name}`
  const safe = name.toWellFormed().replace(/[/\\\p{Cc}\p{Cf}]/gu, '-')
  return `attachment; filename="${writeAscii(safe)}"; filename*=UTF-8''${encode(safe)}`
}

function writeAscii(name: string): string {
  const ascii = name
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .replace(/[^A-Za-z0-9._ -]+/g, '_')
    .trim()
  return /[A-Za-z0-9]/.test(ascii.replace(/\.[^.]*$/, ''))
    ? ascii
    : `document${/\.[A-Za-z0-9]+$/.exec(ascii)?.[0] ?? ''}`
}

/** Percent-encodes all but the characters that RFC 8187 allows in a value. */
function encode(name: string): string {
  return encodeURIComponent(name).replace(
    /['()*]/g,
    character => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  )
}
