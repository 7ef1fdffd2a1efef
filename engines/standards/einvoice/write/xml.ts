/** Written XML. Empty if there is nothing to write. Ends with a line feed otherwise. */
export type Xml = string

type Attributes = Readonly<Record<string, string | undefined>>

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  '\t': '&#9;',
  '\n': '&#10;',
  '\r': '&#13;',
}

/** Characters that XML 1.0 can't have (section 2.2), and surrogates without a partner. */
const IMPOSSIBLE =
  // eslint-disable-next-line no-control-regex
  /[\0-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g

/** Escapes a text for XML. Characters that XML can't have become U+FFFD. */
export function escapeXml(text: string): string {
  return text.replace(IMPOSSIBLE, '\ufffd').replace(/[&<>"\r]/g, character => ENTITIES[character] ?? character)
}

/** Parsers turn tabs and line feeds of attributes into spaces, unless they are escaped (XML 1.0, 3.3.3). */
function escapeAttribute(value: string): string {
  return escapeXml(value).replace(/[\t\n]/g, character => ENTITIES[character] ?? character)
}

/** Writes an element with a text. Nothing if there is no text. */
export function leaf(name: string, text: string | undefined, attributes: Attributes = {}): Xml {
  if (text === undefined || text === '') return ''
  return `<${name}${writeAttributes(attributes)}>${escapeXml(text)}</${name}>\n`
}

/** Writes an element with elements. Nothing if it would be empty. */
export function group(name: string, ...content: readonly Xml[]): Xml {
  const inner = content.join('')
  return inner === '' ? '' : `<${name}>\n${inner}</${name}>\n`
}

/** Writes an element for each entry. */
export function each<Entry>(entries: readonly Entry[], write: (entry: Entry, index: number) => Xml): Xml {
  return entries.map(write).join('')
}

function writeAttributes(attributes: Attributes): string {
  return Object.entries(attributes)
    .map(([name, value]) => (value === undefined || value === '' ? '' : ` ${name}="${escapeAttribute(value)}"`))
    .join('')
}
