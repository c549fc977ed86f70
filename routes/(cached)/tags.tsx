import { EmptyState } from "@/components/EmptyState.tsx";
import { PageHead } from "@/components/PageHead.tsx";
import { TagCounts } from "@/components/Tags.tsx";
import { define } from "@/lib/app/define.ts";
import { countTags } from "@/lib/discovery/counts.ts";
import { paths } from "@/lib/urls.ts";

/** How many tags the page shows at most. */
const SHOWN = 300;

export default define.page(function TagIndex({ state: { deps } }) {
  const tags = countTags(deps, SHOWN);
  return (
    <main id="main" class="page">
      <PageHead
        deps={deps}
        title="Tags"
        description="Browse projects by tag, the most used first."
        path={paths.tags}
      />
      <h1>Tags</h1>
      <p class="lead">Browse projects by tag, the most used first. Each tag has a feed.</p>
      {tags.length > 0 ? <TagCounts tags={tags} /> : (
        <EmptyState title="No tags yet">
          <p>
            <a href={paths.submit}>Submit a project</a> with the first one.
          </p>
        </EmptyState>
      )}
    </main>
  );
});
