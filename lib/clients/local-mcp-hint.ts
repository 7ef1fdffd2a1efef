/** Where an agent finds the MCP server for files of its own machine. The page `/docs/mcp` says how to install it. */
export const LOCAL_MCP_HINT =
  'For larger files, run `sheaf mcp` on the machine that has them. It is in the folder `clients/cli` of the Sheaf ' +
  'repository. Read /docs/mcp.'
