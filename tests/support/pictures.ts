/** Small images in one red, #c02040, as user files. */
import { ImageRenderer } from "@/lib/images/renderer.ts";

/** 40 by 20. */
export const JPEG = Uint8Array.fromBase64(
  "/9j/4AAQSkZJRgABAQAAAQABAAD/2wBDABALDA4MChAODQ4SERATGCgaGBYWGDEjJR0oOjM9PDkzODdASFxOQERXRTc4UG1RV19iZ2hnPk1xeXBkeFxlZ2P/2wBDARESEhgVGC8aGi9jQjhCY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2P/wAARCAAUACgDASIAAhEBAxEB/8QAFQABAQAAAAAAAAAAAAAAAAAAAAX/xAAUEAEAAAAAAAAAAAAAAAAAAAAA/8QAFgEBAQEAAAAAAAAAAAAAAAAAAAMG/8QAFBEBAAAAAAAAAAAAAAAAAAAAAP/aAAwDAQACEQMRAD8AkAJNIAAAAAAAAAA//9k=",
);

/** 20 by 16. */
export const GIF = Uint8Array.fromBase64(
  "R0lGODlhFAAQAIEAAAAAAMAgQP///wAAACH5BAAAAAAALAAAAAAUABAAAAK1TJgwYcKECRMmTJgwYcKECRMmTJgwYcKECRMmTJgwYcKECRMmTJgwYcKECRMmTJgwYcKECRMmTJgwYcKECRMmTJgwYcKECRMmTJgwYcKECRMmTJgwYcKECRMmTJgwYcKECRMmTJgwYcKECRMmTJgwYcKECRMmTJgwYcKECRMmTJgwYcKECRMmTJgwYcKECRMmTJgwYcKECRMmTJgwYcKECRMmTJgwYcKECRMmTJgwYcKECRMmBQA7",
);

/** 40 by 20, in all three formats: lossy, lossless and extended (here half transparent). */
export const WEBP = {
  lossy: Uint8Array.fromBase64(
    "UklGRkYAAABXRUJQVlA4IDoAAAAQAwCdASooABQAPm02l0ikIyIhJWgAgA2JZwAALKXNOAAA/u+9V/SXS5Df//sHf/+g7//0Hf6cAAAA",
  ),
  lossless: Uint8Array.fromBase64("UklGRh4AAABXRUJQVlA4TBEAAAAvJ8AEAAdQkAIXqP+BiOh/AAA="),
  extended: Uint8Array.fromBase64(
    "UklGRnQAAABXRUJQVlA4WAoAAAAQAAAAJwAAEwAAQUxQSBQAAAABD/DA/4iIIBBI9pceIIGI/ucgAFZQOCA6AAAAEAMAnQEqKAAUAD5tNpdIpCMiISVoAIANiWcAACylzTgAAP7vvVf0l0uQ3//7B3//oO//9B3+nAAAAA==",
  ),
};

export async function pngOf(width: number, height: number): Promise<Uint8Array<ArrayBuffer>> {
  const images = new ImageRenderer();
  try {
    return (await images.render(
      `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}">` +
        `<rect width="100%" height="100%" fill="#c02040"/></svg>`,
    ))!;
  } finally {
    images.close();
  }
}
