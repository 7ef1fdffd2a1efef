export function withLock<T>(path: string, tell: (text: string) => void, work: () => Promise<T>): Promise<T>
