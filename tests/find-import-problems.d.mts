export function checkTree(root: string): { fileCount: number; importCount: number; problems: string[] }
