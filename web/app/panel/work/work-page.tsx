export const WorkPage = () => null
