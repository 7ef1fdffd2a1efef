export * from './syntax/names'
