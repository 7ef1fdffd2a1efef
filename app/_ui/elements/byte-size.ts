const KB = 2 ** 10
const MB = 2 ** 20
const GB = 2 ** 30

/** Returns a number of bytes as text, such as `12.4 MB`. A KB is 1,024 bytes, a MB 1,048,576 and a GB 1,073,741,824. */
export function writeSize(bytes: number): string {
  if (bytes < KB) return `${bytes} bytes`
  const [unit, name] = bytes < MB ? [KB, 'KB'] : bytes < GB ? [MB, 'MB'] : [GB, 'GB']
  return `${(bytes / unit).toLocaleString('en', { maximumFractionDigits: 1 })} ${name}`
}
