export function createRandom(seed: number): () => number
