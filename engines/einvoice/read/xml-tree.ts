import { SaxesParser } from 'saxes'
import { EngineError, isEngineError } from '../../errors'

const MAX_DEPTH = 100
const MAX_ELEMENTS = 300_000

/** An element of an XML file. */
export class XmlNode {
  readonly children: XmlNode[] = []
  /** Text directly in this element. */
  content = ''
  private isRead = false
  private readonly byName = new Map<string, XmlNode[]>()

  constructor(
    /** Name without prefix. */
    readonly name: string,
    readonly namespace: string,
    private readonly attributes: ReadonlyMap<string, string>,
  ) {}

  /** Adds a child. */
  append(child: XmlNode): void {
    this.children.push(child)
    const same = this.byName.get(child.name)
    if (same) same.push(child)
    else this.byName.set(child.name, [child])
  }

  /** Makes children with a name found under another one too. */
  rename(name: string, newName: string): void {
    this.byName.set(newName, [...this.all(newName), ...this.all(name)])
  }

  /** The children with a name. */
  all(name: string): readonly XmlNode[] {
    return this.byName.get(name) ?? []
  }

  /** The first element at a path. */
  find(...path: readonly string[]): XmlNode | undefined {
    return path.reduce<XmlNode | undefined>((node, name) => node?.all(name)[0], this)
  }

  /** The text of the first element at a path, or of this element. Undefined if it is missing or empty. */
  text(...path: readonly string[]): string | undefined {
    const node = this.find(...path)
    if (!node) return undefined
    node.isRead = true
    return node.content.trim() || undefined
  }

  /** The value of an attribute. Undefined if it is missing or empty. */
  attribute(name: string): string | undefined {
    return this.attributes.get(name)?.trim() || undefined
  }

  /** Paths of elements with a text that nobody has read. */
  listUnread(most: number): string[] {
    const unread: string[] = []
    const visit = (node: XmlNode, path: string): void => {
      if (unread.length >= most) return
      if (!node.isRead && node.content.trim() !== '') unread.push(path)
      for (const child of node.children) visit(child, `${path}/${child.name}`)
    }
    visit(this, this.name)
    return [...new Set(unread)]
  }
}

/**
 * Parses an XML file. Throws EngineError `unreadable` if it isn't well formed or has a document type, and `too-large` if
 * it has too many or too deep elements. `rename` returns the names under which elements are found.
 */
export function parseTree(text: string, rename: (name: string) => string = name => name): XmlNode {
  const parser = new SaxesParser({ xmlns: true, position: false })
  const open: XmlNode[] = []
  let root: XmlNode | undefined
  let count = 0
  parser.on('error', error => {
    throw new EngineError('unreadable', 'The XML is not well formed.', { cause: error })
  })
  parser.on('doctype', () => {
    throw new EngineError('unreadable', 'The XML has a document type (DOCTYPE), which is not allowed.')
  })
  parser.on('opentag', ({ local, uri, attributes }) => {
    count++
    if (count > MAX_ELEMENTS || open.length >= MAX_DEPTH)
      throw new EngineError('too-large', `The XML has more than ${MAX_ELEMENTS.toLocaleString('en')} elements.`)
    const own = new Map(Object.values(attributes).map(({ local: name, value }) => [name, value]))
    const node = new XmlNode(rename(local), uri, own)
    open.at(-1)?.append(node)
    root ??= node
    open.push(node)
  })
  parser.on('closetag', () => {
    open.pop()
  })
  const add = (part: string): void => {
    const node = open.at(-1)
    if (node) node.content += part
  }
  parser.on('text', add)
  parser.on('cdata', add)
  try {
    parser.write(text).close()
  } catch (error) {
    if (isEngineError(error)) throw error
    throw new EngineError('unreadable', 'The XML is not well formed.', { cause: error })
  }
  if (!root) throw new EngineError('unreadable', 'The XML has no elements.')
  return root
}
