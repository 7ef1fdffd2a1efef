/** Returns a size as text, such as `1.4 MiB`. */
export function writeSize(bytes: number): string {
  if (bytes < 1024) return `${bytes} bytes`
  const [size, unit] = bytes < 1024 ** 2 ? [bytes / 1024, 'KiB'] : [bytes / 1024 ** 2, 'MiB']
  return `${size.toLocaleString('en', { maximumFractionDigits: 1 })} ${unit}`
}
