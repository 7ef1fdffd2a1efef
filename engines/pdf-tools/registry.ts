import type { Tool, ToolDeclaration } from './define'
import * as tools from './tools'

/** All tools by ID. */
export function listTools(): ToolDeclaration[] {
  return [...byId.values()]
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
