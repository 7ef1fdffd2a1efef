/** Loads a file from `/samples`. Throws if it can't be loaded. */
export async function loadSample(name: string): Promise<File> {
  const response = await fetch(`/samples/${name}`)
  if (!response.ok) throw new Error(`status ${response.status}`)
  return new File([await response.blob()], name, { type: typeOf(name) })
}

function typeOf(name: string): string {
  if (name.endsWith('.html')) return 'text/html'
  return name.endsWith('.xml') ? 'application/xml' : 'application/pdf'
}
