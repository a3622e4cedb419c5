"""Django and Django REST framework: URL lists, views, routers and serializers."""
