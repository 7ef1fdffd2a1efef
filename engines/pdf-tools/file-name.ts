/** Bytes of UTF-8 that a download name may have before its suffix. */
const MAX_NAME_BYTES = 120

/**
 * The part of a file name that can be kept: without folders and extension, separators and control characters as `-`,
 * at most 120 bytes of UTF-8. `document` when nothing is left.
 */
export function baseName(name: string): string {
  const last =
    name
      .normalize('NFC')
      .split(/[/\\]/)
      .findLast(part => part.replace(/^\.+$/, '') !== '') ?? ''
  const stem = last.replace(/\.[A-Za-z0-9]{1,5}$/, '')
  // Control characters, bidirectional overrides, and what Windows does not allow in names.
  const safe = stem.toWellFormed().replace(/[\p{Cc}\u200e\u200f\u2028-\u202e\u2066-\u2069\ufffd<>:"|?*]+/gu, '-')
  const trimmed = clipBytes(safe, MAX_NAME_BYTES).replace(/^[\s.-]+|[\s.]+$/g, '')
  return trimmed || 'document'
}

/**
 * The same for an entry of an archive, of any text: slashes become `-`, and nothing but `.pdf` counts as an extension.
 */
export function partName(text: string): string {
  return baseName(`${text.replace(/[/\\]+/g, '-').replace(/\.pdf$/i, '')}.pdf`)
}

/** The download name of an answer: `report.pdf` with the suffix `merged` becomes `report-merged.pdf`. */
export function downloadName(input: string, suffix: string, extension: string, wanted: string | undefined): string {
  return `${wanted === undefined ? `${baseName(input)}-${suffix}` : baseName(wanted)}.${extension}`
}

function clipBytes(text: string, maxBytes: number): string {
  let bytes = 0
  let kept = ''
  for (const character of text) {
    bytes += Buffer.byteLength(character)
    if (bytes > maxBytes) break
    kept += character
  }
  return kept
}
