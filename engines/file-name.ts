/** Maximum length of a download name without its suffix, in bytes of UTF-8. */
const MAX_NAME_BYTES = 120

/**
 * Sanitizes a file name: removes folders and the extension, replaces separators and control characters with `-`, and
 * truncates to 120 bytes of UTF-8. Returns `document` for an empty result.
 */
export function baseName(name: string): string {
  const last =
    name
      .normalize('NFC')
      .split(/[/\\]/)
      .findLast(part => part.replace(/^\.+$/, '') !== '') ?? ''
  const stem = last.replace(/\.[A-Za-z0-9]{1,5}$/, '')
  // Control characters, bidirectional overrides, and characters that Windows doesn't allow in names.
  const safe = stem.toWellFormed().replace(/[\p{Cc}\u200e\u200f\u2028-\u202e\u2066-\u2069\ufffd<>:"|?*]+/gu, '-')
  const trimmed = clipBytes(safe, MAX_NAME_BYTES).replace(/^[\s.-]+|[\s.]+$/g, '')
  return trimmed || 'document'
}

/** Sanitizes any text for an archive entry. Slashes become `-`, and only `.pdf` counts as an extension. */
export function partName(text: string): string {
  return baseName(`${text.replace(/[/\\]+/g, '-').replace(/\.pdf$/i, '')}.pdf`)
}

/** Returns the download name of a response: `report.pdf` with the suffix `merged` becomes `report-merged.pdf`. */
export function downloadName(
  input: string,
  suffix: string,
  extension: string,
  requestedName: string | undefined,
): string {
  return `${requestedName === undefined ? `${baseName(input)}-${suffix}` : baseName(requestedName)}.${extension}`
}

/** Returns the name, with a number if necessary to make it unique. `usedNames` contains the last number of each name. */
export function freeName(name: string, usedNames: Map<string, number>): string {
  let uniqueName = name
  let count = usedNames.get(name.toLowerCase()) ?? 1
  while (usedNames.has(uniqueName.toLowerCase())) uniqueName = `${name} (${++count})`
  usedNames.set(name.toLowerCase(), count)
  if (uniqueName !== name) usedNames.set(uniqueName.toLowerCase(), 1)
  return uniqueName
}

function clipBytes(text: string, maxBytes: number): string {
  let bytes = 0
  let truncated = ''
  for (const character of text) {
    bytes += Buffer.byteLength(character)
    if (bytes > maxBytes) break
    truncated += character
  }
  return truncated
}
