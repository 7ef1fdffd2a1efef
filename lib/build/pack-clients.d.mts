export function packClients(folder: string): Promise<void>
