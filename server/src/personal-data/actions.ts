export { exportBehind } from './exports.ts'
