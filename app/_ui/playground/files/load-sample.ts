const samples = new WeakSet<File>()

/** Returns whether a file was loaded from `/samples`. Values of examples belong to these files. */
export function isSample(file: File): boolean {
  return samples.has(file)
}

/** Loads a file from `/samples`. Throws if it can't be loaded. */
export async function loadSample(name: string): Promise<File> {
  const response = await fetch(`/samples/${name}`)
  if (!response.ok) throw new Error(`status ${response.status}`)
  const file = new File([await response.blob()], name, { type: typeOf(name) })
  samples.add(file)
  return file
}

function typeOf(name: string): string {
  if (name.endsWith('.html')) return 'text/html'
  return name.endsWith('.xml') ? 'application/xml' : 'application/pdf'
}
