/** Characters that separate paths or mean something on Windows, and those that hide or reorder others. */
const UNSAFE = /[/\\:*?"<>|\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu

/** Windows opens a device for these names, whatever their extension. */
const DEVICE = /^(?:con|prn|aux|nul|conin\$|conout\$|clock\$|(?:com|lpt)[0-9¹²³]) *(?:\.|$)/i

/** File systems allow 255 bytes. While a file is saved, its name is longer. */
const MOST_BYTES = 200
const LONGEST_EXTENSION_BYTES = 20

/** Returns a name for a visible file of one folder, on every system. The client for Python has the same rule. */
export function safeFileName(name: string): string {
  const safe = shorten(name.replace(UNSAFE, '_'))
    .replace(/^[. ]+/, '_')
    .replace(/[. ]$/, '_')
  if (safe === '') return 'file'
  return DEVICE.test(safe) ? `_${safe}` : safe
}

/** Cuts a name before its extension. */
function shorten(name: string): string {
  const dot = name.lastIndexOf('.')
  const hasExtension = dot >= 0 && countBytes(name.slice(dot)) <= LONGEST_EXTENSION_BYTES
  const extension = hasExtension ? name.slice(dot) : ''
  let stem = ''
  for (const character of hasExtension ? name.slice(0, dot) : name) {
    if (countBytes(stem + character + extension) > MOST_BYTES) break
    stem += character
  }
  return stem + extension
}

function countBytes(text: string): number {
  return new TextEncoder().encode(text).length
}
