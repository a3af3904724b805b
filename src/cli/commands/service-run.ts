export async function runServiceCommand(_slug: string): Promise<void> {}
