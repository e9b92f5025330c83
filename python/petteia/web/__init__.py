"""The games in the browser: the page of `petteia play`, which needs the extra `petteia[web]`."""
