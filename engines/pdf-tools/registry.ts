import type { Tool, ToolDeclaration } from './define'
import * as tools from './tools'

/** All tools, by id. */
export function listTools(): ToolDeclaration[] {
  return [...byId.values()]
}

/** The declaration of one tool, or undefined when there is no tool of that id. */
export function findTool(id: string): ToolDeclaration | undefined {
  return byId.get(id)
}

/** All tools with their work, for engine processes. */
export function listRunnableTools(): Tool[] {
  return [...byId.values()]
}

// A Map, so that `__proto__` and `constructor` are no tools.
// Options of each tool are typed inside its own file; here only their common form counts.
const byId = new Map<string, Tool>(Object.values(tools).map(tool => [tool.id, tool as unknown as Tool]))
