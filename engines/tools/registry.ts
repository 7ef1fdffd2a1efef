import type { Tool, ToolDeclaration, ToolGroup } from './define'
import * as tools from './tools'

/** The groups in the order of the documentation, with their most used tools. The other tools follow by title. */
const GROUPS: Record<ToolGroup, string[]> = {
  Organize: ['merge-pdf', 'split-pdf', 'rotate-pdf', 'extract-pages'],
  Secure: ['pdf-redaction', 'protect-pdf', 'unlock-pdf'],
  Mark: ['add-watermark', 'page-numbers', 'header-footer'],
  Forms: ['form-filler'],
  Text: ['pdf-ocr'],
  Convert: ['compress-pdf'],
  Archive: ['validate-pdf'],
  Create: [],
}

/** All tools in the order of the documentation. */
export function listTools(): ToolDeclaration[] {
  const tools = [...byId.values()].toSorted((one, other) => one.title.localeCompare(other.title, 'en'))
  return Object.entries(GROUPS).flatMap(([name, mostUsed]) => {
    const group = tools.filter(tool => tool.group === name)
    return [
      ...mostUsed.flatMap(id => group.filter(tool => tool.id === id)),
      ...group.filter(({ id }) => !mostUsed.includes(id)),
    ]
  })
}

/** Returns the declaration of a tool. Undefined if there is no tool with this ID. */
export function findTool(id: string): ToolDeclaration | undefined {
  return byId.get(id)
}

/** All tools with their implementation, for engine processes. */
export function listRunnableTools(): Tool[] {
  return [...byId.values()]
}

// A Map has no entries for `__proto__` and `constructor`. Each tool's file checks the types of its options, so the
// common type is enough here.
const byId = new Map<string, Tool>(Object.values(tools).map(tool => [tool.id, tool as unknown as Tool]))
