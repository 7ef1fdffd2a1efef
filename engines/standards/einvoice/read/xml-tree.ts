import { SaxesParser } from 'saxes'
import type { SaxesTagNS } from 'saxes'
import { EngineError, isEngineError } from '../../../errors'
import { addTo } from '../../../map-entries'

const MAX_DEPTH = 100
const MAX_ELEMENTS = 300_000

/** The elements of a format. */
export interface Vocabulary {
  /** Elements in other namespaces are found by no name. */
  namespaces: ReadonlySet<string>
  /** The names under which elements are found, if they differ. */
  renamed?: Readonly<Record<string, string>>
}

/** An element of an XML file. */
export class XmlNode {
  /** Text directly in this element. */
  content = ''
  private readonly children: XmlNode[] = []
  private readonly byName = new Map<string, XmlNode[]>()
  private isRead = false
  private readonly readAttributes = new Set<string>()

  constructor(
    /** Name without prefix, as in the file. */
    readonly name: string,
    readonly namespace: string,
    private readonly attributes: ReadonlyMap<string, string>,
  ) {}

  /** Adds a child that is found under a name. Without one, no method finds the child. */
  append(child: XmlNode, name: string | undefined): void {
    this.children.push(child)
    if (name !== undefined) addTo(this.byName, name, child)
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
    return node.peek()
  }

  /** The same as `text`, but the element doesn't count as read. */
  peek(...path: readonly string[]): string | undefined {
    return this.find(...path)?.content.trim() || undefined
  }

  /** Counts the element at a path as read if it has a text that says nothing more than the model. */
  skip(texts: readonly (string | undefined)[], ...path: readonly string[]): void {
    if (texts.includes(this.peek(...path))) this.text(...path)
  }

  /** The value of an attribute. Undefined if it is missing or empty. */
  attribute(name: string): string | undefined {
    this.readAttributes.add(name)
    return this.attributes.get(name)?.trim() || undefined
  }

  /**
   * Paths of elements that have a text which nobody has read, and of attributes of the others. `isNoted` returns whether
   * an attribute needs no reader. Returns each path once.
   */
  listUnread(most: number, isNoted: (name: string, value: string) => boolean): string[] {
    const unread = new Set<string>()
    const visit = (node: XmlNode, path: string): void => {
      if (unread.size >= most) return
      if (!node.isRead && node.content.trim() !== '') unread.add(path)
      else for (const name of node.unreadAttributes(isNoted)) unread.add(`${path}/@${name}`)
      for (const child of node.children) visit(child, `${path}/${child.name}`)
    }
    visit(this, this.name)
    return [...unread].slice(0, most)
  }

  /** Paths of elements without text and children. Returns each path once. */
  listEmpty(most: number): string[] {
    const empty = new Set<string>()
    const visit = (node: XmlNode, path: string): void => {
      if (empty.size >= most) return
      if (node.children.length === 0 && node.content.trim() === '') empty.add(path)
      for (const child of node.children) visit(child, `${path}/${child.name}`)
    }
    visit(this, this.name)
    return [...empty]
  }

  private unreadAttributes(isNoted: (name: string, value: string) => boolean): string[] {
    return [...this.attributes].flatMap(([name, value]) =>
      this.readAttributes.has(name) || value.trim() === '' || isNoted(name, value.trim()) ? [] : [name],
    )
  }
}

/**
 * Parses an XML file. Throws EngineError `damaged` if it isn't well formed or has a document type, and `too_large` if
 * it has too many or too deep elements. `vocabularyOf` returns the vocabulary of a root element.
 */
export function parseTree(text: string, vocabularyOf: (root: XmlNode) => Vocabulary | undefined): XmlNode {
  const parser = new SaxesParser({ xmlns: true, position: false })
  const open: XmlNode[] = []
  let root: XmlNode | undefined
  let vocabulary: Vocabulary | undefined
  let count = 0
  parser.on('error', error => {
    throw new EngineError('damaged', 'The XML is not well formed.', { cause: error })
  })
  parser.on('doctype', () => {
    throw new EngineError('damaged', 'The XML has a document type (DOCTYPE), which is not allowed.')
  })
  parser.on('opentag', tag => {
    count++
    checkSize(count, open.length)
    const node = new XmlNode(tag.local, tag.uri, attributesOf(tag))
    if (!root) {
      root = node
      vocabulary = vocabularyOf(node)
    }
    const isKnown = vocabulary?.namespaces.has(tag.uri)
    open.at(-1)?.append(node, isKnown ? (vocabulary?.renamed?.[tag.local] ?? tag.local) : undefined)
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
    throw new EngineError('damaged', 'The XML is not well formed.', { cause: error })
  }
  if (!root) throw new EngineError('damaged', 'The XML has no elements.')
  return root
}

function checkSize(count: number, depth: number): void {
  if (count > MAX_ELEMENTS)
    throw new EngineError('too_large', `The XML has more than ${MAX_ELEMENTS.toLocaleString('en')} elements.`)
  if (depth >= MAX_DEPTH)
    throw new EngineError('too_large', `The XML has more than ${MAX_DEPTH} levels of elements inside each other.`)
}

/** The attributes without a namespace, as all attributes of the formats are. */
function attributesOf({ attributes }: SaxesTagNS): ReadonlyMap<string, string> {
  return new Map(Object.values(attributes).flatMap(({ local, uri, value }) => (uri === '' ? [[local, value]] : [])))
}
