export const BoardPage = () => null
